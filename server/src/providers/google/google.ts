import { ReturnTo } from '@sought/contract/fields'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import * as z from 'zod/mini'

/*
 * Sign-in through Google with OpenID Connect: authorization code with PKCE, state and nonce. The
 * three secrets of one attempt wait in a short-lived signed cookie, so that a return which this
 * browser did not begin is worth nothing.
 */

export interface GoogleIdentity {
  subject: string
  email: string
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
}

export interface Google {
  /** Begins an attempt and gives the address at Google to go to, or null when Google does not answer. */
  begin(reply: FastifyReply, returnTo: string): Promise<string | null>
  /** Ends it: who came back and where they were going, or null when the return is not to be trusted. */
  finish(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ identity: GoogleIdentity; returnTo: string } | null>
}

interface Settings {
  clientId: string
  clientSecret: string
  issuer: string
  publicUrl: string
  secure: boolean
  log: FastifyBaseLogger
}

const COOKIE = 'google'
const CALLBACK_PATH = '/api/auth/google/callback'
const ATTEMPT_SECONDS = 600
const REQUEST_TIMEOUT_SECONDS = 10

const Attempt = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: ReturnTo })

export function createGoogle(settings: Settings): Google {
  const redirectUri = settings.publicUrl + CALLBACK_PATH
  const cookie = {
    path: CALLBACK_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.secure,
    signed: true,
  } as const
  const discovered = remember(() => discover(settings))

  return {
    async begin(reply, returnTo) {
      const google = await discovered().catch((error) => {
        settings.log.warn({ err: error }, 'Google does not answer')
        return null
      })
      if (!google) return null
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        returnTo,
      }
      const address = oidc.buildAuthorizationUrl(google, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      reply.setCookie(COOKIE, JSON.stringify(attempt), { ...cookie, maxAge: ATTEMPT_SECONDS })
      return address.href
    },

    async finish(request, reply) {
      const attempt = attemptIn(request)
      reply.clearCookie(COOKIE, cookie)
      if (!attempt) return null
      try {
        const current = new URL(request.url, settings.publicUrl)
        const tokens = await oidc.authorizationCodeGrant(await discovered(), current, {
          pkceCodeVerifier: attempt.verifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
        })
        const identity = identityIn(tokens.claims())
        return identity && { identity, returnTo: attempt.returnTo }
      } catch (error) {
        settings.log.warn({ err: error }, 'Google sign-in failed')
        return null
      }
    },
  }
}

function attemptIn(request: FastifyRequest): z.output<typeof Attempt> | null {
  const kept = request.cookies[COOKIE]
  const unsigned = kept === undefined ? null : request.unsignCookie(kept)
  if (!unsigned?.valid || unsigned.value === null) return null
  try {
    return Attempt.safeParse(JSON.parse(unsigned.value)).data ?? null
  } catch {
    // The signature does not say which cookie it is of: this is another one of ours, under the wrong name.
    return null
  }
}

function identityIn(claims: oidc.IDToken | undefined): GoogleIdentity | null {
  if (!claims || typeof claims.email !== 'string') return null
  return {
    subject: claims.sub,
    email: claims.email,
    emailVerified: claims.email_verified === true,
    firstName: typeof claims.given_name === 'string' ? claims.given_name : null,
    lastName: typeof claims.family_name === 'string' ? claims.family_name : null,
  }
}

function discover({ issuer, clientId, clientSecret }: Settings): Promise<oidc.Configuration> {
  const address = new URL(issuer)
  // Plain http only ever for an issuer on this machine, as in the tests.
  const local = address.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(address.hostname)
  return oidc.discovery(address, clientId, clientSecret, undefined, {
    timeout: REQUEST_TIMEOUT_SECONDS,
    ...(local && { execute: [oidc.allowInsecureRequests] }),
  })
}

/** Asks once and keeps the answer; a failure is not kept, so that the next try asks again. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error) => {
      answer = undefined
      throw error
    })
    return answer
  }
}
