import { resendVerification } from '@sought/contract/security'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'

/** Has the link that proves an address mailed once more. */
export function useResend(address: string): { resend: () => void; busy: boolean } {
  const send = useSend(resendVerification)
  const sessionEnded = useSessionEnded()
  const resend = () =>
    send.mutate(
      {},
      {
        onSuccess: () => toast({ title: 'Link sent', description: `Look in the inbox of ${address}.` }),
        onError: (error) => {
          if (sessionEnded(error)) return
          toast({
            title: 'Error',
            description: error.userMessage ?? 'The link could not be sent. Please try again.',
            variant: 'destructive',
          })
        },
      },
    )
  return { resend, busy: send.isPending }
}
