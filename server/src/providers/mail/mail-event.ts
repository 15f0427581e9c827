/** What a mail service reports about an email that it had accepted (ADR 110). */
export interface MailEvent {
  /** Repeated events have the same id. */
  id: string
  /** 'no_mailbox' if the address does not exist, 'complaint' if its owner marked an email as spam. */
  what: 'no_mailbox' | 'complaint'
  addresses: string[]
}

/** 'nothing' if the service proved who it is, but reports nothing that matters here. */
export type ReadEvent = MailEvent | 'nothing' | 'bad_signature'

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
