import { resendVerification } from '@sought/contract/security'
import { type CallError, send } from './client.ts'
import { type ToastContent, toast } from './toasts.ts'

/** Long enough to find the button. */
const DURATION_MS = 20_000

/** Says that the email must be verified first, and sends the link again. What was entered stays on the screen. */
export const verifyEmailToast = ({ userMessage }: CallError): ToastContent => ({
  title: 'Verify your email first',
  description: userMessage ?? undefined,
  durationMs: DURATION_MS,
  action: { label: 'Send Link', onPress: () => void sendLink() },
})

async function sendLink(): Promise<void> {
  try {
    await send(resendVerification, {})
    toast({ title: 'Link sent', description: 'Open it in your inbox, then try again here.' })
  } catch (error) {
    const description = (error as CallError).userMessage ?? 'Please try again.'
    toast({ title: 'The link was not sent', description, variant: 'destructive' })
  }
}
