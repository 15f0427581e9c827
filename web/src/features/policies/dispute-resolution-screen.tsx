import { PolicyPage } from './policy-page.tsx'
import text from './texts/dispute-resolution.md?raw'

export const DisputeResolutionScreen = () => <PolicyPage policy="dispute_resolution" text={text} />
