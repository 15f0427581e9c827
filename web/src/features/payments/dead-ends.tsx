import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { ErrorPage, LinkButton } from '../../lib/error-page.tsx'

/** A payment that cannot be shown or made; the way back is to the messages. */
export function NoPayment({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ErrorPage title={title} action={<LinkButton to={paths.messages()}>Back to Messages</LinkButton>}>
      {children}
    </ErrorPage>
  )
}

export function ItemNotFound() {
  return <NoPayment title="Item not found">It may have been taken down. Nothing was charged.</NoPayment>
}

export function PaymentNotFound() {
  return (
    <NoPayment title="Payment Not Found">
      The payment you're looking for doesn't exist or you don't have permission to view it.
    </NoPayment>
  )
}
