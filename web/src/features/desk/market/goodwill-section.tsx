import { highestLimits } from '@sought/contract/currency-defaults'
import { changeSettings } from '@sought/contract/market-settings'
import { formatForInput } from '@sought/contract/money'
import { useSession } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { readAmount } from '../../../format/amount.ts'
import { formatMoney } from '../../../format/money.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { settingsOutcome, useSettingsForm } from './settings-form.ts'
import { inCurrency, type SectionProps, SettingsSection } from './settings-section.tsx'

export function GoodwillSection(props: SectionProps) {
  const { settings, currency } = props
  const form = useSettingsForm(
    { goodwillApprovalCents: formatForInput(settings.goodwillApprovalCents, currency) },
    (entered) => ({
      goodwillApprovalCents: readAmount(entered.goodwillApprovalCents, currency) ?? -1,
      ...inCurrency(props),
    }),
  )
  const { proposedGoodwillApprovalCents: proposed } = settings
  return (
    <SettingsSection
      title="Goodwill"
      lead="A higher limit needs two admins: one proposes it, and another one confirms it. A lower limit applies immediately."
      form={form}
      saveLabel="Save Goodwill"
    >
      <TextField
        label="Goodwill without a second admin, up to"
        hint={`Within 30 days, for a deal, to a person and by an admin. At most ${formatMoney(highestLimits(currency).goodwill, currency)}.`}
        {...form.number('goodwillApprovalCents')}
      />
      {proposed !== undefined && <Proposal {...props} proposed={proposed} />}
    </SettingsSection>
  )
}

function Proposal({ proposed, ...props }: SectionProps & { proposed: number }) {
  const { settings, currency } = props
  const session = useSession()
  const { run } = useAction(changeSettings, settingsOutcome)
  const amount = formatMoney(proposed, currency)
  const isOwn = session.state === 'signed-in' && session.user.id === settings.goodwillApprovalProposedBy
  const set = (goodwillApprovalCents: number) =>
    run({ body: { goodwillApprovalCents, ...inCurrency(props) } })
  return (
    <div className="grid gap-3">
      <p>
        {isOwn
          ? `You proposed ${amount}. The limit waits for another admin to confirm it.`
          : `Another admin proposed ${amount}.`}
      </p>
      <div className="flex flex-wrap gap-3">
        {!isOwn && (
          <ConfirmDialog
            title={`Raise the limit to ${amount}?`}
            description={`An admin alone can then give goodwill of up to ${amount} within 30 days.`}
            confirmLabel={`Raise to ${amount}`}
            onConfirm={() => set(proposed)}
            trigger={<Button size="sm">Confirm {amount}</Button>}
          />
        )}
        <Button size="sm" variant="secondary" onClick={() => void set(settings.goodwillApprovalCents)}>
          {isOwn ? 'Withdraw Proposal' : 'Reject Proposal'}
        </Button>
      </div>
    </div>
  )
}
