import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { createTicket, NewTicket } from '@sought/contract/support'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../../data/browser-storage.ts'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { formatMoney } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { TextLink } from '../../shared/navigation/links.tsx'
import { topicLabels } from '../../shared/support/ticket-status.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select, type SelectOption, type SelectProps, toOptions } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Card } from '../../ui/layout/card.tsx'

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

/** Visitors are answered by email only. */
const VisitorTicket = NewTicket.check(
  z.refine(({ email }) => email !== undefined, { path: ['email'], error: 'Please enter your email address' }),
)

function ContactForm({ isVisitor, onVisitorDone }: ContactFormProps) {
  const [, navigate] = useLocation()
  const [query] = useSearchParams()
  const form = useContractForm(createTicket, {
    schema: isVisitor ? VisitorTicket : NewTicket,
    values: { topic: OTHER, paymentId: Number(query.get('paymentId')) || undefined, ...loadQuestion() },
    input: ({ email, paymentId, ...body }) => ({
      body: { ...body, ...(isVisitor ? { email } : { paymentId }) },
    }),
    success: { title: 'Question sent', description: 'We answer by email and in the conversation.' },
    failure: ({ userMessage, issues }) => ({
      title: 'Your question was not sent',
      description: issues[0]?.message ?? userMessage ?? 'Please try again. Your text is still here.',
    }),
    onDone: ({ id }, { email }) => {
      storeQuestion({ subject: '', message: '' })
      if (isVisitor) onVisitorDone(email ?? '')
      else navigate(paths.ticket(id))
    },
  })
  const [subject, message] = form.watch(['subject', 'message'])
  useEffect(() => storeQuestion({ subject, message }), [subject, message])
  return (
    <Form form={form} name="Contact us" submitLabel="Send Question">
      {isVisitor && (
        <TextField
          label="Your email"
          type="email"
          autoComplete="email"
          hint={
            <>
              We send our answer there. If you have an account,{' '}
              <TextLink to={paths.auth({ returnTo: paths.help() })}>sign in</TextLink> first: then we can see
              your payments.
            </>
          }
          {...form.field('email', { setValueAs: (text) => text || undefined })}
        />
      )}
      <Select label="What is it about?" options={toOptions(topicLabels)} {...form.field('topic')} />
      {!isVisitor && (
        <PaymentSelect {...form.field('paymentId', { setValueAs: (id) => Number(id) || undefined })} />
      )}
      <TextField label="Subject" maxLength={120} {...form.field('subject')} />
      <TextArea
        label="Your question"
        rows={6}
        maxLength={5000}
        hint="Never send us your password, a code or card details."
        {...form.field('message')}
      />
    </Form>
  )
}

/** The user's own payments. Hidden if there are none. */
function PaymentSelect(field: Pick<SelectProps, 'name' | 'ref' | 'onChange' | 'onBlur' | 'error'>) {
  const payments = useRead(listPayments, { query: {} })
  const options: SelectOption[] = (payments.data ?? []).map(({ payments: payment, wantedItem }) => ({
    value: String(payment.id),
    label: `${payment.transactionNumber} · ${wantedItem.title} · ${formatMoney(payment.amount, payment.currency)}`,
  }))
  if (options.length === 0) return null
  return (
    <Select
      label="Payment"
      optional
      options={[{ value: '', label: 'Not about a payment' }, ...options]}
      {...field}
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

/* The unsent question, stored for this tab, so that reading an answer or signing in does not lose it. */

const KEY = 'sought:question'

interface Question {
  subject: string
  message: string
}

const EMPTY: Question = { subject: '', message: '' }

const loadQuestion = () =>
  readStored(
    KEY,
    (stored: Partial<Question>): Question => ({
      subject: String(stored.subject ?? ''),
      message: String(stored.message ?? ''),
    }),
    EMPTY,
    'sessionStorage',
  )

const storeQuestion = (question: Question) =>
  writeStored(KEY, question.subject || question.message ? question : undefined, 'sessionStorage')
