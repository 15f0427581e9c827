import {
  getPhone,
  PHONE_CODE_MINUTES,
  PhoneCodeForm,
  PhoneForm,
  sendPhoneCode,
  verifyPhone,
} from '@sought/contract/phone'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { explainFailure } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

/** Proves that the user has a phone, with a code that is sent to it. */
export function VerifyPhone() {
  const phone = useRead(getPhone)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isChanging, setIsChanging] = useState(false)
  return (
    <Loaded query={phone} loading={<Skeleton className="h-20" />}>
      {({ phone: current, isVerified, isAvailable }) => {
        if (sentTo !== null)
          return (
            <EnterCode
              phone={sentTo}
              onBack={() => setSentTo(null)}
              onDone={() => {
                setSentTo(null)
                setIsChanging(false)
              }}
            />
          )
        if (isVerified && !isChanging)
          return <Verified phone={current ?? ''} onChange={() => setIsChanging(true)} />
        if (!isAvailable)
          return <p className="text-ink-soft">Phone numbers cannot be verified here at the moment.</p>
        return <EnterPhone phone={isVerified ? '' : (current ?? '')} onSent={setSentTo} />
      }}
    </Loaded>
  )
}

function Verified({ phone, onChange }: { phone: string; onChange: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="flex items-center gap-2">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span>
          <span className="font-strong tabular-nums">{phone}</span> is verified.
        </span>
      </p>
      <Button variant="secondary" onClick={onChange}>
        Verify another number
      </Button>
    </div>
  )
}

function EnterPhone({ phone, onSent }: { phone: string; onSent: (phone: string) => void }) {
  const form = useContractForm(sendPhoneCode, {
    schema: PhoneForm,
    values: { phone },
    failure: explainFailure('The code was not sent'),
    onDone: () => onSent(form.getValues('phone')),
  })
  return (
    <Form form={form} name="Verify your phone" submitLabel="Send code">
      <TextField
        label="Phone number"
        type="tel"
        autoComplete="tel"
        hint={`With the country code, such as +60 12-345 6789. Only you and ${useMarket().name} can see it.`}
        {...form.field('phone')}
      />
    </Form>
  )
}

interface EnterCodeProps {
  phone: string
  onBack: () => void
  onDone: () => void
}

function EnterCode({ phone, onBack, onDone }: EnterCodeProps) {
  const form = useContractForm(verifyPhone, {
    schema: PhoneCodeForm,
    values: { code: '' },
    success: { title: 'Phone verified' },
    failure: explainFailure('The phone was not verified'),
    refusals: { wrong_code: 'code' },
    onDone,
  })
  return (
    <Form
      form={form}
      name="Enter the code"
      submitLabel="Verify"
      aside={
        <Button variant="quiet" onClick={onBack}>
          Change number or send again
        </Button>
      }
    >
      <TextField
        label="Code from the text message"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={`We sent six digits to ${phone}. They are valid for ${PHONE_CODE_MINUTES} minutes.`}
        {...form.field('code')}
      />
    </Form>
  )
}
