import type { Policy } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'

export const policyNames: Record<Policy, string> = {
  terms_of_service: 'Terms of Service',
  privacy_policy: 'Privacy Policy',
  refund_policy: 'Refund Policy',
  dispute_resolution: 'Dispute Resolution',
}

export const policyPaths: Record<Policy, string> = {
  terms_of_service: paths.termsOfService(),
  privacy_policy: paths.privacyPolicy(),
  refund_policy: paths.refundPolicy(),
  dispute_resolution: paths.disputeResolution(),
}
