import { MODERATION_ACTIONS, type ModerationAction, type ModerationCase } from '@sought/contract/moderation'

export { MODERATION_ACTIONS }

export const actionLabels = {
  hide: 'Hide',
  restore: 'Restore',
  warn: 'Warn',
  restrict: 'Restrict',
  suspend: 'Suspend',
  dismiss: 'Dismiss',
} as const satisfies Record<ModerationAction, string>

export const actionHints = {
  hide: 'Nobody else sees it any more.',
  restore: 'Everybody sees it again.',
  warn: 'The person is told what was wrong. Nothing else changes.',
  restrict: 'No new requests, offers and conversations.',
  suspend: 'Only reading, open deals, payouts and the data export.',
  dismiss: 'Nothing is wrong. The case is closed.',
} as const satisfies Record<ModerationAction, string>

const appealLabels = { restore: 'Grant the appeal', dismiss: 'Reject the appeal' } as const
const appealHints = {
  restore: 'The earlier decision is undone.',
  dismiss: 'The earlier decision stays. The person cannot appeal again.',
} as const

/** An appeal can be granted or rejected. Hidden content can be restored, and visible content can be hidden. */
export function isPossible(action: ModerationAction, { appeal, content, person }: ModerationCase): boolean {
  switch (action) {
    case 'hide':
      return !appeal && content !== null && !content.isHidden
    case 'restore':
      return appeal !== null || content?.isHidden === true
    case 'warn':
    case 'restrict':
    case 'suspend':
      return !appeal && person !== null
    case 'dismiss':
      return true
  }
}

type Texts = { label: string; hint: string }

export function textsOf(action: ModerationAction, { appeal }: ModerationCase): Texts {
  if (appeal && (action === 'restore' || action === 'dismiss')) {
    return { label: appealLabels[action], hint: appealHints[action] }
  }
  return { label: actionLabels[action], hint: actionHints[action] }
}

export const hasEnd = (action: ModerationAction) => action === 'restrict' || action === 'suspend'
