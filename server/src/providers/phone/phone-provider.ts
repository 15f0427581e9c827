/** Sends text messages. */
export interface PhoneProvider {
  /** The number has its country code, as in E.164. Throws if the message was not accepted. */
  send(phone: string, text: string): Promise<void>
}
