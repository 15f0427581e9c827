import {
  type acceptSettlement,
  type answerDispute,
  getDispute,
  type proposeSettlement,
  type withdrawDispute,
} from '@sought/contract/disputes'
import { getPayment, listPayments } from '@sought/contract/payments'
import { useStep } from '../../lib/use-step.ts'

type StepCall =
  | typeof answerDispute
  | typeof withdrawDispute
  | typeof proposeSettlement
  | typeof acceptSettlement

const touches = [getDispute, getPayment, listPayments]

/** A step of one of the parties. */
export function useDisputeStep<C extends StepCall>(call: C, words: { failed: string; onDone: () => void }) {
  return useStep(call, { ...words, touches })
}
