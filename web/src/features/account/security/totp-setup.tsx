import { enableTotp, startTotp, TotpCode } from '@sought/contract/second-factors'
import { type ReactNode, useState } from 'react'
import { renderSVG } from 'uqr'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

interface TotpSetupProps {
  trigger: ReactNode
  onCodes: (recoveryCodes: string[]) => void
}

/** Starts the setup, and shows the secret as a QR code until a code of the app is entered. */
export function TotpSetup({ trigger, onCodes }: TotpSetupProps) {
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null)
  const { run, isPending } = useAction(startTotp, {
    failure: explainFailure('The setup could not be started'),
    onDone: setStarted,
  })
  return (
    <>
      <Button variant="secondary" busy={isPending} onClick={() => void run()}>
        {trigger}
      </Button>
      {started && (
        <Dialog
          open
          width="slip"
          title="Set up an authenticator app"
          description="Scan this code with the app, then enter the six digits that it shows."
          onOpenChange={(open) => !open && setStarted(null)}
        >
          <EnterCode
            {...started}
            onDone={(codes) => {
              setStarted(null)
              onCodes(codes)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

interface EnterCodeProps {
  secret: string
  uri: string
  onDone: (recoveryCodes: string[]) => void
}

function EnterCode({ secret, uri, onDone }: EnterCodeProps) {
  const form = useContractForm(enableTotp, {
    schema: TotpCode,
    values: { code: '' },
    failure: explainFailure('The app was not added'),
    refusals: { wrong_code: 'code' },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Form form={form} name="Set up an authenticator app" submitLabel="Turn On" wide>
      {/* Apps need dark squares on a light background, even in the dark theme. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`}
        alt="QR code of the secret"
        className="mx-auto size-48 rounded-card bg-white"
      />
      <p className="text-fine text-ink-soft">
        You cannot scan it? Enter this secret in the app:{' '}
        <code className="select-all text-ink [overflow-wrap:anywhere]">{secret}</code>
      </p>
      <TextField
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.field('code')}
      />
    </Form>
  )
}
