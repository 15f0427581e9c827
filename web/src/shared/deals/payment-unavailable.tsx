import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { ErrorPage } from '../loading/error-page.tsx'
import { LinkButton } from '../navigation/links.tsx'

/** Shown instead of a payment that the user cannot see or make. */
export function PaymentUnavailable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ErrorPage title={title} action={<LinkButton to={paths.messages()}>Back to Messages</LinkButton>}>
      {children}
    </ErrorPage>
  )
}

export function ItemNotFound() {
  return (
    <PaymentUnavailable title="Item not found">
      This request may have been removed. You were not charged.
    </PaymentUnavailable>
  )
}

export function PaymentNotFound() {
  return (
    <PaymentUnavailable title="Payment Not Found">
      The payment you're looking for doesn't exist or you don't have permission to view it.
    </PaymentUnavailable>
  )
}
