import { getEmailDelivery } from '@sought/contract/notifications'
import { useRead } from '../../data/calls.ts'

/** Whether an address of the user rejects our emails. False until the server has answered. */
export function useIsUndeliverable(email: string): boolean {
  const delivery = useRead(getEmailDelivery)
  return delivery.data?.undeliverable.includes(email) ?? false
}
