import { TOTP } from 'otpauth'

/** The code that an authenticator app shows at this time. */
export const totpCode = (secret: string, at: Date): string =>
  new TOTP({ secret }).generate({ timestamp: at.getTime() })
