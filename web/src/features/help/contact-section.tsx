import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { createTicket, NewTicket } from '@sought/contract/support'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatCents } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import { topicLabels } from '../../shared/support/ticket-status.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select, type SelectOption, toOptions } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { loadQuestion, storeQuestion } from './question-draft.ts'

/** Users see the conversation in their account. Visitors get a link to it by email. */
export function ContactSection() {
  const session = useSession()
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <section aria-labelledby="contact" className="mt-14">
      <h2 id="contact" className="scroll-mt-24 font-display font-strong text-heading">
        Was your question not answered?
      </h2>
      <p className="mt-2 mb-6 text-ink-soft">
        Write to us at any time. A person reads every question and answers by email and here.
      </p>
      <Card padding="lg">
        {sentTo !== null ? (
          <VisitorThanks email={sentTo} onAskAgain={() => setSentTo(null)} />
        ) : (
          <ContactForm isVisitor={session.state !== 'signed-in'} onVisitorDone={setSentTo} />
        )}
      </Card>
    </section>
  )
}

interface ContactFormProps {
  isVisitor: boolean
  onVisitorDone: (email: string) => void
}

const OTHER = 'other'
const NO_PAYMENT = ''

function ContactForm({ isVisitor, onVisitorDone }: ContactFormProps) {
  const [, navigate] = useLocation()
  const [query] = useSearchParams()
  const [paymentId, setPaymentId] = useState(query.get('paymentId') ?? NO_PAYMENT)
  const form = useContractForm(NewTicket, { topic: OTHER, ...loadQuestion() })
  const { errors } = form.formState
  const [subject, message] = useWatch({ control: form.control, name: ['subject', 'message'] })
  const { run, isPending } = useAction(createTicket, {
    success: { title: 'Question sent', description: 'We answer by email and in the conversation.' },
    failure: ({ userMessage, issues }) => {
      const [issue] = issues
      if (issue?.path === 'email') form.setError('email', { message: issue.message }, { shouldFocus: true })
      return {
        title: 'Your question was not sent',
        description: issue?.message ?? userMessage ?? 'Please try again. Your text is still here.',
      }
    },
    onDone: ({ id }, { body }) => {
      storeQuestion({ subject: '', message: '' })
      if (isVisitor) onVisitorDone(body.email ?? '')
      else navigate(paths.ticket(id))
    },
  })
  const submit = form.handleSubmit((question) => {
    if (isVisitor && !question.email)
      return form.setError('email', { message: 'Please enter your email address' }, { shouldFocus: true })
    const { email, ...body } = question
    const payment = paymentId === NO_PAYMENT ? {} : { paymentId: Number(paymentId) }
    void run({ body: isVisitor ? { ...body, ...(email && { email }) } : { ...body, ...payment } })
  })
  const keepDraft = () => storeQuestion({ subject, message })
  return (
    <form noValidate aria-label="Contact us" onSubmit={submit} onBlur={keepDraft} className="grid gap-5">
      {isVisitor && (
        <TextField
          label="Your email"
          type="email"
          autoComplete="email"
          hint={
            <>
              We send our answer there. If you have an account,{' '}
              <Link href={paths.auth({ returnTo: paths.help() })} className="link">
                sign in
              </Link>{' '}
              first: then we can see your payments.
            </>
          }
          error={errors.email?.message}
          {...form.register('email', { setValueAs: (text) => text || undefined })}
        />
      )}
      <Select
        label="What is it about?"
        options={toOptions(topicLabels)}
        error={errors.topic?.message}
        {...form.register('topic')}
      />
      {!isVisitor && <PaymentSelect value={paymentId} onChange={setPaymentId} />}
      <TextField
        label="Subject"
        maxLength={120}
        error={errors.subject?.message}
        {...form.register('subject')}
      />
      <TextArea
        label="Your question"
        rows={6}
        maxLength={5000}
        hint="Never send us your password, a code or card details."
        error={errors.message?.message}
        {...form.register('message')}
      />
      <div>
        <Button type="submit" busy={isPending}>
          Send Question
        </Button>
      </div>
    </form>
  )
}

/** The user's own payments. Hidden if there are none. */
function PaymentSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const payments = useRead(listPayments, { query: {} })
  const options: SelectOption[] = (payments.data ?? []).map(({ payments: payment, wantedItem }) => ({
    value: String(payment.id),
    label: `${payment.transactionNumber} · ${wantedItem.title} · ${formatCents(payment.amount, payment.currency)}`,
  }))
  if (options.length === 0) return null
  const isKnown = options.some((option) => option.value === value)
  return (
    <Select
      label="Payment"
      optional
      options={[{ value: NO_PAYMENT, label: 'Not about a payment' }, ...options]}
      value={isKnown ? value : NO_PAYMENT}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function VisitorThanks({ email, onAskAgain }: { email: string; onAskAgain: () => void }) {
  return (
    <Notice
      tone="success"
      live
      title="We received your question"
      action={
        <Button variant="secondary" size="sm" onClick={onAskAgain}>
          Ask Something Else
        </Button>
      }
    >
      <p className="[overflow-wrap:anywhere]">
        We sent a link to the conversation to {email}. Our answer goes there too. If nothing arrives within a
        few minutes, look in your spam folder.
      </p>
    </Notice>
  )
}
