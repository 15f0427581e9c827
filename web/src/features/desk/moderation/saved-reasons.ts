import type { ModerationAction } from '@sought/contract/moderation'

interface SavedReason {
  title: string
  text: string
}

const spam = {
  title: 'Spam',
  text: 'This is advertising or was posted many times. Sought is for requests and for offers that answer them.',
}
const offPlatform = {
  title: 'Payment outside Sought',
  text: 'You asked for a payment outside Sought. Only payments on Sought are protected by escrow, so our terms do not allow this.',
}
const prohibited = {
  title: 'Prohibited item',
  text: 'This item may not be asked for or offered on Sought. The list of prohibited items is in our Terms of Service.',
}
const counterfeit = {
  title: 'Counterfeit',
  text: 'This is about a copy that infringes someone’s rights. Counterfeits are not allowed on Sought.',
}
const offensive = {
  title: 'Offensive',
  text: 'This insults or threatens other people. Please treat everyone on Sought with respect.',
}
const privateData = {
  title: 'Private information',
  text: 'This contains private information such as a phone number or an address. It was removed to protect the person.',
}
const scam = {
  title: 'Attempted fraud',
  text: 'We found that this account was used to deceive other people or to take money from them outside escrow.',
}
const repeated = {
  title: 'Repeated violations',
  text: 'You broke our Terms of Service again after we had warned you.',
}

/** Suggested reasons, which moderators can edit before they decide. */
export const savedReasons = {
  hide: [spam, offPlatform, prohibited, counterfeit, offensive, privateData],
  restore: [
    {
      title: 'Within the rules',
      text: 'We looked again and found that it does not break our rules. We are sorry.',
    },
    { title: 'Corrected', text: 'The part that broke our rules is gone, so everyone can see it again.' },
  ],
  warn: [offPlatform, spam, offensive, prohibited, counterfeit],
  restrict: [repeated, spam, offPlatform, offensive],
  suspend: [scam, repeated, offensive, prohibited],
  dismiss: [
    { title: 'Within the rules', text: 'We looked at it and found that it does not break our rules.' },
    {
      title: 'A private disagreement',
      text: 'This is a disagreement between two people. Our rules do not cover it.',
    },
    { title: 'Decision confirmed', text: 'We looked at it again and came to the same decision.' },
  ],
} as const satisfies Record<ModerationAction, readonly SavedReason[]>
