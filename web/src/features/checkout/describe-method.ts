import { METHOD_RULES, type PaymentMethod } from '@sought/escrow/payment-methods'

/** What the buyer should know before choosing a method. */
export function describeMethod(method: PaymentMethod): string | undefined {
  const { name, arrival, waitDays } = METHOD_RULES[method]
  switch (arrival) {
    case 'at_once':
      return undefined
    case 'after_redirect':
      return `You continue on the page of ${method === 'klarna' ? name : 'your bank'}.`
    case 'later':
      return `The money takes up to ${waitDays} days. Your request is reserved until then.`
  }
}
