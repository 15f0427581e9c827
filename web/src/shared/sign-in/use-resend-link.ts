import { resendVerification } from '@sought/contract/security'
import { useAction } from '../../data/use-action.ts'

/** Sends the link that confirms an email address again. */
export function useResendLink(email: string) {
  return useAction(resendVerification, {
    success: { title: 'Link sent', description: `Check the inbox of ${email}.` },
    failure: ({ userMessage }) => ({
      title: 'Error',
      description: userMessage ?? 'The link could not be sent. Please try again.',
    }),
  })
}
