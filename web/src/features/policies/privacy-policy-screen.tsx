import { PolicyPage } from './policy-page.tsx'
import text from './texts/privacy-policy.md?raw'

export const PrivacyPolicyScreen = () => <PolicyPage policy="privacy_policy" text={text} />
