import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Done } from './fields.ts'

const call = callsOf({ subjects: ['account'], fresh: 'on open' })

export const PHONE_CODE_MINUTES = 10
export const PHONE_CODE_ATTEMPTS = 5

/** Removes characters that people write between digits. `00` is the international prefix in most countries. */
const normalizePhone = (written: string) => written.replace(/[\s().\-/]/g, '').replace(/^00/, '+')

/** With the country code, as in E.164. */
export const PhoneForm = z.object({
  phone: z
    .string()
    .check(
      z.maxLength(40, 'Too long'),
      z.overwrite(normalizePhone),
      z.regex(/^\+[1-9]\d{6,14}$/, 'Enter the number with its country code, such as +60 12-345 6789'),
    ),
})

export const PhoneCodeForm = z.object({
  code: z.string().check(z.trim(), z.regex(/^\d{6}$/, 'The code has 6 digits')),
})

export const getPhone = call({
  method: 'GET',
  path: '/api/user/phone',
  access: 'user',
  summary: 'Gets the phone number of the signed-in user, and whether it is verified',
  reply: z.object({
    phone: z.nullable(z.string()),
    isVerified: z.boolean(),
    /** Whether this market can send codes. */
    isAvailable: z.boolean(),
  }),
})

export const sendPhoneCode = call({
  method: 'POST',
  path: '/api/user/phone/code',
  access: 'user',
  changes: [],
  summary: 'Sends a code to a phone by text message, to verify its number',
  body: PhoneForm,
  reply: Done,
  refuses: ['phone_unavailable', 'too_many'],
})

export const verifyPhone = call({
  method: 'POST',
  path: '/api/user/phone/verify',
  access: 'user',
  summary: 'Verifies the phone that the last code was sent to. It becomes the phone number of the user',
  body: PhoneCodeForm,
  reply: Done,
  refuses: ['wrong_code'],
})
