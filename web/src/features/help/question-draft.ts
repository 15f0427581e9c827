/* The unsent question, stored for this tab, so that reading an answer or signing in does not lose it. */

const KEY = 'sought:question'

interface Question {
  subject: string
  message: string
}

export function loadQuestion(): Question {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return { subject: String(stored.subject ?? ''), message: String(stored.message ?? '') }
  } catch {
    return { subject: '', message: '' }
  }
}

export function storeQuestion({ subject, message }: Question): void {
  try {
    if (subject || message) sessionStorage.setItem(KEY, JSON.stringify({ subject, message }))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Storage is full or disabled. Questions can still be sent.
  }
}
