import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import type { ReplyOf } from '@sought/contract/call'
import {
  addPasskey,
  deletePasskey,
  disableTotp,
  getSecondFactors,
  type Passkey,
  PasskeyName,
  renamePasskey,
  replaceRecoveryCodes,
} from '@sought/contract/second-factors'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { refreshAfter, useRead } from '../../../data/calls.ts'
import { CallError } from '../../../data/client.ts'
import { changeReply } from '../../../data/optimistic-changes.ts'
import { toast, toastFailure } from '../../../data/toasts.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDate } from '../../../format/dates.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { RenameDialog } from '../../../shared/forms/rename-dialog.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { createPasskey, explainPasskeyFailure } from '../../../shared/sign-in/passkeys.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Section } from '../section.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpSetup } from './totp-setup.tsx'

type Factors = ReplyOf<typeof getSecondFactors>

/** Passkeys, the authenticator app and recovery codes. */
export function SecondFactors() {
  const factors = useRead(getSecondFactors)
  const [newCodes, setNewCodes] = useState<string[] | null>(null)
  return (
    <Section
      title="Second factor"
      description="Protects your account even if somebody knows your password. You need it at every sign-in."
    >
      <Loaded query={factors} loading={<Skeleton className="h-32" />}>
        {(found) => (
          <div className="grid gap-8">
            <Passkeys passkeys={found.passkeys} onCodes={setNewCodes} />
            <AuthenticatorApp isEnabled={found.totp} onCodes={setNewCodes} />
            {(found.totp || found.passkeys.length > 0) && (
              <RecoveryCodes left={found.recoveryCodesLeft} onCodes={setNewCodes} />
            )}
          </div>
        )}
      </Loaded>
      {newCodes && <RecoveryCodesDialog codes={newCodes} onClose={() => setNewCodes(null)} />}
    </Section>
  )
}

interface WithCodes {
  onCodes: (codes: string[]) => void
}

function Passkeys({ passkeys, onCodes }: { passkeys: Factors['passkeys'] } & WithCodes) {
  return (
    <div className="grid justify-items-start gap-4">
      <div>
        <h3 className="font-strong">Passkeys</h3>
        <p className="text-ink-soft">
          Sign in with your fingerprint, face or screen lock, without a password.
        </p>
      </div>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="w-full border-line border-b">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {browserSupportsWebAuthn() ? (
        <AddPasskey onCodes={onCodes} />
      ) : (
        <p className="text-fine text-ink-soft">This browser does not support passkeys.</p>
      )}
    </div>
  )
}

function AddPasskey({ onCodes }: WithCodes) {
  const cache = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const add = async () => {
    setIsPending(true)
    try {
      const { passkey, recoveryCodes } = await createPasskey()
      // A toast would cover the buttons below the codes on phones.
      if (recoveryCodes) onCodes(recoveryCodes)
      else toast({ title: 'Passkey added', description: passkey.name })
      await refreshAfter(cache, addPasskey)
    } catch (error) {
      const isCancelled = error instanceof CallError && error.code === 'confirm_identity'
      if (!isCancelled) toastFailure('The passkey was not added', explainPasskeyFailure(error))
    }
    setIsPending(false)
  }
  return (
    <Button variant="secondary" busy={isPending} onClick={() => void add()}>
      <KeyRound aria-hidden="true" />
      Add a Passkey
    </Button>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { run } = useAction(deletePasskey, {
    success: { title: 'Passkey removed', description: passkey.name },
    failure: explainFailure('The passkey was not removed'),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-3">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <p className="font-strong [overflow-wrap:anywhere]">{passkey.name}</p>
        <p className="text-fine text-ink-soft">
          Added {formatDate(passkey.createdAt)}
          {passkey.lastUsedAt && ` · last used ${formatDate(passkey.lastUsedAt)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <RenamePasskey passkey={passkey} />
        <ConfirmDialog
          title={`Remove ${passkey.name}?`}
          description="You can no longer sign in with this passkey. Delete it in your browser or password manager too."
          confirmLabel="Remove Passkey"
          tone="danger"
          onConfirm={() => run({ params: { id: passkey.id } })}
          trigger={
            <Button variant="secondary" size="sm" aria-label={`Remove ${passkey.name}`}>
              Remove
            </Button>
          }
        />
      </div>
    </li>
  )
}

function RenamePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const form = useContractForm(renamePasskey, {
    schema: PasskeyName,
    values: { name },
    input: (body) => ({ params: { id }, body }),
    failure: explainFailure('The passkey was not renamed'),
    optimistic: (body) => [
      changeReply(getSecondFactors, (factors) => ({
        ...factors,
        passkeys: factors.passkeys.map((it) => (it.id === id ? { ...it, name: body.name } : it)),
      })),
    ],
  })
  return <RenameDialog title="Rename passkey" name={name} form={form} />
}

function AuthenticatorApp({ isEnabled, onCodes }: { isEnabled: boolean } & WithCodes) {
  const { run } = useAction(disableTotp, {
    success: { title: 'Authenticator app removed' },
    failure: explainFailure('The authenticator app was not removed'),
  })
  return (
    <div className="grid justify-items-start gap-4">
      <div>
        <h3 className="flex flex-wrap items-center gap-3 font-strong">
          Authenticator app
          {isEnabled && <Badge tone="accent">On</Badge>}
        </h3>
        <p className="text-ink-soft">An app on your phone shows a new code every 30 seconds.</p>
      </div>
      {isEnabled ? (
        <ConfirmDialog
          title="Remove the authenticator app?"
          description="Its codes no longer work. Without a passkey, your account has no second factor."
          confirmLabel="Remove App"
          tone="danger"
          onConfirm={() => run()}
          trigger={<Button variant="secondary">Remove App</Button>}
        />
      ) : (
        <TotpSetup
          onCodes={onCodes}
          trigger={
            <>
              <Smartphone aria-hidden="true" />
              Set Up an App
            </>
          }
        />
      )}
    </div>
  )
}

/** Below this, users should get new codes. */
const FEW_CODES = 3

function RecoveryCodes({ left, onCodes }: { left: number } & WithCodes) {
  const { run } = useAction(replaceRecoveryCodes, {
    failure: explainFailure('The codes were not replaced'),
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  return (
    <div className="grid justify-items-start gap-4">
      <div>
        <h3 className="font-strong">Recovery codes</h3>
        <p className="text-ink-soft">
          If you lose your phone or passkey, a recovery code replaces it. Each works once. You have {left}{' '}
          left.
        </p>
      </div>
      {left <= FEW_CODES && <Notice tone="warning">Please create new codes before they run out.</Notice>}
      <ConfirmDialog
        title="Create new recovery codes?"
        description="Your old codes stop working."
        confirmLabel="Create New Codes"
        onConfirm={() => run()}
        trigger={<Button variant="secondary">Create New Codes</Button>}
      />
    </div>
  )
}
