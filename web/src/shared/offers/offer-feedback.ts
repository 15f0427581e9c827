import type { CallError } from '../../data/client.ts'

/** The description is always the same, so the server's reason is the title. */
export const explainOfferFailure =
  (description: string) =>
  ({ userMessage }: CallError) => ({ title: userMessage ?? 'Error', description })
