import { readStored, writeStored } from '../../data/browser-storage.ts'

/* The unsent question, stored for this tab, so that reading an answer or signing in does not lose it. */

const KEY = 'sought:question'

interface Question {
  subject: string
  message: string
}

const EMPTY: Question = { subject: '', message: '' }

export const loadQuestion = () =>
  readStored(
    KEY,
    (stored: Partial<Question>): Question => ({
      subject: String(stored.subject ?? ''),
      message: String(stored.message ?? ''),
    }),
    EMPTY,
    'sessionStorage',
  )

export const storeQuestion = (question: Question) =>
  writeStored(KEY, question.subject || question.message ? question : undefined, 'sessionStorage')
