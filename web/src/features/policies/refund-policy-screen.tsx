import { PolicyPage } from './policy-page.tsx'
import text from './texts/refund-policy.md?raw'

export const RefundPolicyScreen = () => <PolicyPage policy="refund_policy" text={text} />
