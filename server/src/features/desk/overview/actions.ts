import { OVERVIEW_KINDS, type OverviewEntry } from '@sought/contract/overview'
import { paths } from '@sought/contract/paths'
import type { Db } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { countBankDeadlines, countOverdueDisputes } from '../../money/disputes/desk.ts'
import { countStuckRefunds } from '../../money/payments/stuck-refunds.ts'
import { countPayablePayouts, countUnclaimedPayouts } from '../../money/payouts/manual-payouts.ts'
import { countProblems } from '../../money/reconciliation/actions.ts'
import { countOpenCases } from '../moderation/present-cases.ts'

type Kind = OverviewEntry['kind']

/** The pages that list the counted items. */
const PATHS: Record<Kind, string> = {
  dispute_overdue: paths.adminDisputes({ status: 'overdue' }),
  bank_deadline: paths.adminDisputes({ status: 'bank_deadline' }),
  refund_failed: paths.adminRefunds(),
  manual_payout: paths.adminPayouts(),
  payout_unclaimed: paths.adminPayouts({ status: 'unclaimed' }),
  report: paths.adminModeration(),
  reconciliation: paths.adminReconciliation(),
}

export async function readOverview(db: Db, admin: Pick<User, 'id'>, now: Date): Promise<OverviewEntry[]> {
  const counts: Record<Kind, number> = {
    dispute_overdue: await countOverdueDisputes(db, now),
    bank_deadline: await countBankDeadlines(db, now),
    refund_failed: await countStuckRefunds(db),
    manual_payout: await countPayablePayouts(db, now),
    payout_unclaimed: await countUnclaimedPayouts(db, now),
    report: await countOpenCases(db, admin.id),
    reconciliation: await countProblems(db, now),
  }
  return OVERVIEW_KINDS.map((kind) => ({ kind, count: counts[kind], path: PATHS[kind] })).filter(
    ({ count }) => count > 0,
  )
}
