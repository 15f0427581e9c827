import type { ReplyOf } from '@sought/contract/call'
import {
  listManualPayouts,
  type lookUpBankDetails,
  type markPayoutPaid,
  type undoManualPayout,
} from '@sought/contract/payouts'
import { useStep } from '../../lib/use-step.ts'

type StepCall = typeof lookUpBankDetails | typeof markPayoutPaid | typeof undoManualPayout

const touches = [listManualPayouts]

/** A step on a payout. */
export function usePayoutStep<C extends StepCall>(call: C, onDone: (reply: ReplyOf<C>) => void) {
  return useStep(call, { failed: 'Payout Failed', touches, onDone })
}
