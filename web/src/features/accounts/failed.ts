import type { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'

const titles = {
  'Sign in failed': 'Please check your credentials',
  'Sign up failed': 'Please try again',
} as const

/** Says that it did not work, in the server's words if it gave any. */
export function failed(title: keyof typeof titles) {
  return (error: CallError) =>
    toast({ title, description: error.userMessage ?? titles[title], variant: 'destructive' })
}
