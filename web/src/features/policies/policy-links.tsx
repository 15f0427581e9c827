import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'

/** The links that several policies use. */
export const HomeLink = () => <Link href={paths.home()}>home page</Link>
export const PaymentsLink = () => <Link href={paths.payments()}>My Transactions</Link>
export const SellerSetupLink = () => <Link href={paths.sellerSetup()}>Seller Setup</Link>
export const ProfileLink = () => <Link href={paths.profile()}>your profile</Link>
export const DecisionsLink = () => (
  <Link href={paths.profile({ tab: 'decisions' })}>your profile under Decisions</Link>
)
export const TermsLink = () => <Link href={paths.termsOfService()}>Terms of Service</Link>
export const PrivacyLink = () => <Link href={paths.privacyPolicy()}>Privacy Policy</Link>
export const RefundsLink = () => <Link href={paths.refundPolicy()}>Refund Policy</Link>
export const DisputesLink = () => <Link href={paths.disputeResolution()}>Dispute Resolution</Link>
export const SupportLink = () => <Link href={`${paths.help()}#contact`}>our support team</Link>
