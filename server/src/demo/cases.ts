import type { ModerationAction } from '@sought/contract/moderation'
import type { ReportReason } from '@sought/contract/reports'
import type { people } from './people.ts'
import type { requests } from './requests.ts'

type Key = (typeof people)[number]['key']

/** A request by its key, or a message or review by its text. */
export type DemoTarget =
  | { kind: 'request'; key: (typeof requests)[number]['key'] }
  | { kind: 'message' | 'review'; words: string }

export type DemoCaseStep = { hoursAgo: number } & (
  | { by: Key; does: 'report'; reason: ReportReason; note?: string }
  /** Done by the moderator. */
  | { does: 'decide'; action: ModerationAction; reason: string }
  | { by: Key; does: 'appeal'; words: string }
)

/** A report to moderators and the steps that followed. */
export interface DemoCase {
  about: DemoTarget
  steps: readonly DemoCaseStep[]
}

/** Open cases about a reported request, message and review, and an appeal against an earlier decision. */
export const cases = [
  {
    about: {
      kind: 'message',
      words: 'I will be in Inverness on Friday. Bring cash and we do not need the site.',
    },
    steps: [
      {
        hoursAgo: 70,
        by: 'ruth',
        does: 'report',
        reason: 'scam',
        note: 'He wants cash before I see the thing.',
      },
      {
        hoursAgo: 66,
        does: 'decide',
        action: 'warn',
        reason:
          'You asked for a payment outside Sought. Only payments on Sought are protected by escrow, so our terms do not allow this.',
      },
      {
        hoursAgo: 30,
        by: 'dale',
        does: 'appeal',
        words:
          'I only wanted to spare us both the fees. I did not know that cash at the door is not allowed.',
      },
    ],
  },
  {
    about: {
      kind: 'message',
      words:
        'Then send it by bank transfer, IBAN DE89 3704 0044 0532 0130 00, or write to me on WhatsApp: +1 218 555 0134.',
    },
    steps: [
      {
        hoursAgo: 5,
        by: 'ruth',
        does: 'report',
        reason: 'scam',
        note: 'Now he sends me account numbers.',
      },
    ],
  },
  {
    about: { kind: 'review', words: 'One cup arrived damaged, but we found a fair solution.' },
    steps: [
      {
        hoursAgo: 26,
        by: 'seller',
        does: 'report',
        reason: 'other',
        note: 'The cup was whole when I packed it. This makes me look careless.',
      },
    ],
  },
  {
    about: { kind: 'request', key: 'cello-bow' },
    steps: [
      {
        hoursAgo: 0.2,
        by: 'yuto',
        does: 'report',
        reason: 'prohibited',
        note: 'Pernambuco is a protected wood. Old bows need papers to cross a border.',
      },
      { hoursAgo: 0.1, by: 'helene', does: 'report', reason: 'other' },
    ],
  },
] as const satisfies readonly DemoCase[]
