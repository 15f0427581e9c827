import type { ReportKind, ReportReason } from '@sought/contract/reports'

export const reportReasonLabels = {
  spam: 'Spam',
  scam: 'Scam or fraud',
  offensive: 'Offensive or hateful',
  prohibited: 'Prohibited item',
  counterfeit: 'Counterfeit',
  private_data: 'Private information',
  other: 'Something else',
} as const satisfies Record<ReportReason, string>

export const reportKindLabels = {
  request: 'Request',
  message: 'Message',
  profile: 'Profile',
  review: 'Review',
  picture: 'Picture',
} as const satisfies Record<ReportKind, string>
