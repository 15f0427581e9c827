import { PolicyPage } from './policy-page.tsx'
import text from './texts/terms-of-service.md?raw'

export const TermsOfServiceScreen = () => <PolicyPage policy="terms_of_service" text={text} />
