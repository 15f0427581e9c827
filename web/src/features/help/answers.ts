import { EMAIL_UNDO_HOURS } from '@sought/contract/security'
import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import {
  BUYER_MAY_CANCEL_AFTER_DAYS,
  CANCELLED_AFTER_DAYS,
  HANDOVER_CODE_DIGITS,
  HOLD_DAYS_AFTER_DELIVERY,
  HOLD_DAYS_AFTER_SHIPPING,
} from '@sought/escrow/delivery'
import { fillFigures, splitSections } from '../../shared/policies/built-in-text.ts'
import { type MarketFigures, POLICY_FIGURES } from '../../shared/policies/policy-figures.ts'
import text from './answers.md?raw'

export interface HelpAnswer {
  /** The anchor that other pages and emails link to, so it must never change. */
  id: string
  question: string
  paragraphs: readonly string[]
  links: readonly { label: string; path: string }[]
}

export interface HelpGroup {
  id: string
  title: string
  answers: readonly HelpAnswer[]
}

const FIGURES = {
  ...POLICY_FIGURES,
  emailUndoHours: EMAIL_UNDO_HOURS,
  payoutWaitHours: PAYOUT_WAIT_HOURS,
  buyerMayCancelAfterDays: BUYER_MAY_CANCEL_AFTER_DAYS,
  cancelledAfterDays: CANCELLED_AFTER_DAYS,
  handoverCodeDigits: HANDOVER_CODE_DIGITS,
  holdDaysAfterDelivery: HOLD_DAYS_AFTER_DELIVERY,
  holdDaysAfterShipping: HOLD_DAYS_AFTER_SHIPPING,
}

/** Written from the policies, with the same figures. If the two ever differ, the policies apply. */
export const listHelp = (figures: MarketFigures): HelpGroup[] =>
  splitSections(fillFigures(text, { ...FIGURES, ...figures }), '#').sections.map(({ id, title, body }) => ({
    id,
    title,
    answers: splitSections(body, '##').sections.map(readAnswer),
  }))

/** The paragraphs of an answer, and the list of links below them. */
function readAnswer({ id, title, body }: { id: string; title: string; body: string }): HelpAnswer {
  const links = [...body.matchAll(/^- \[(.+)\]\((.+)\)$/gm)]
  return {
    id,
    question: title,
    paragraphs: body
      .trim()
      .split('\n\n')
      .filter((block) => !block.startsWith('- ')),
    links: links.map(([, label = '', path = '']) => ({ label, path })),
  }
}
