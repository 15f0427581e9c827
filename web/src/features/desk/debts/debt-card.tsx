import { type AdminDebt, DEBT_REASON_MAX_LENGTH, DebtWaiver, waiveDebt } from '@sought/contract/debts'
import { explainFailure } from '../../../data/use-action.ts'
import { formatMoney } from '../../../format/money.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { debtReasons } from '../../../shared/payouts/debt-reasons.ts'
import { describeDebt, openAmount } from '../../../shared/payouts/debt-state.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'
import { MoneyCard } from '../shared/money-card.tsx'

export function DebtCard({ debt }: { debt: AdminDebt }) {
  return (
    <MoneyCard
      label={`Debt of ${debt.user.name}`}
      title={<DeskPersonLink person={debt.user} />}
      of={debt}
      state={debtReasons[debt.reason]}
    >
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {describeDebt(debt)}
        {debt.waivedBy && ` By ${debt.waivedBy}: ${debt.waiveReason}`}
      </p>
      {openAmount(debt) > 0 && <WaiveButton debt={debt} />}
    </MoneyCard>
  )
}

function WaiveButton({ debt }: { debt: AdminDebt }) {
  const open = formatMoney(openAmount(debt), debt.currency)
  const form = useContractForm(waiveDebt, {
    schema: DebtWaiver,
    values: { reason: '' },
    input: (body) => ({ params: { id: String(debt.id) }, body }),
    success: { title: 'Debt Waived', description: `${debt.user.name} no longer owes ${open}.` },
    failure: explainFailure('The debt was not waived'),
  })
  return (
    <ConfirmForm
      form={form}
      tone="danger"
      title={`Waive ${open}?`}
      description={`${debt.user.name} no longer owes it, and the market bears it. We notify them. This cannot be undone.`}
      confirmLabel={`Waive ${open}`}
      cancelLabel="Not Now"
      trigger={
        <Button size="sm" variant="secondary" className="justify-self-start">
          Waive
        </Button>
      }
    >
      <TextArea
        label="Reason"
        hint="For the team. The seller does not see it."
        rows={2}
        maxLength={DEBT_REASON_MAX_LENGTH}
        {...form.field('reason')}
      />
    </ConfirmForm>
  )
}
