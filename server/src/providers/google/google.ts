import { ReturnTo } from '@sought/contract/fields'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import * as z from 'zod/mini'

/*
 * Google sign-in with OpenID Connect: authorization code with PKCE, state and nonce. These three secrets are kept in a
 * short-lived signed cookie, so that a callback is accepted only from the browser that started the sign-in.
 */

export interface GoogleIdentity {
  subject: string
  email: string
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
}

export interface Google {
  /**
   * Returns the URL at Google to redirect to, or null if Google does not respond. `confirms` is for signed-in users
   * who prove their identity: Google then asks even if they are signed in there.
   */
  start(reply: FastifyReply, returnTo: string, confirms?: boolean): Promise<string | null>
  /** Returns the identity and the return path, or null if the callback is invalid. */
  finish(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ identity: GoogleIdentity; returnTo: string; confirms: boolean } | null>
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

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: ReturnTo,
  confirms: z.boolean(),
})

export function createGoogle(settings: Settings): Google {
  const redirectUri = settings.publicUrl + CALLBACK_PATH
  const cookie = {
    path: CALLBACK_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.secure,
    signed: true,
  } as const
  const discovered = cacheSuccess(() => discover(settings))

  return {
    async start(reply, returnTo, confirms = false) {
      const google = await discovered().catch((error) => {
        settings.log.warn({ err: error }, 'Google does not respond')
        return null
      })
      if (!google) return null
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        returnTo,
        confirms,
      }
      const url = oidc.buildAuthorizationUrl(google, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(confirms && { prompt: 'select_account' }),
      })
      reply.setCookie(COOKIE, JSON.stringify(attempt), { ...cookie, maxAge: ATTEMPT_SECONDS })
      return url.href
    },

    async finish(request, reply) {
      const attempt = readAttempt(request)
      reply.clearCookie(COOKIE, cookie)
      if (!attempt) return null
      try {
        const current = new URL(request.url, settings.publicUrl)
        const tokens = await oidc.authorizationCodeGrant(await discovered(), current, {
          pkceCodeVerifier: attempt.verifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
        })
        const identity = identityOf(tokens.claims())
        return identity && { identity, returnTo: attempt.returnTo, confirms: attempt.confirms }
      } catch (error) {
        settings.log.warn({ err: error }, 'Google sign-in failed')
        return null
      }
    },
  }
}

function readAttempt(request: FastifyRequest): z.output<typeof Attempt> | null {
  const value = request.cookies[COOKIE]
  const unsigned = value === undefined ? null : request.unsignCookie(value)
  if (!unsigned?.valid || unsigned.value === null) return null
  try {
    return Attempt.safeParse(JSON.parse(unsigned.value)).data ?? null
  } catch {
    // Signatures do not include the cookie name, so this may be the value of another cookie of ours.
    return null
  }
}

function identityOf(claims: oidc.IDToken | undefined): GoogleIdentity | null {
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
  const url = new URL(issuer)
  // Plain http is allowed only for an issuer on this machine, as in the tests.
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
  return oidc.discovery(url, clientId, clientSecret, undefined, {
    timeout: REQUEST_TIMEOUT_SECONDS,
    ...(isLocal && { execute: [oidc.allowInsecureRequests] }),
  })
}

/** Caches the result of the first success. Failures are not cached. */
function cacheSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= load().catch((error) => {
      result = undefined
      throw error
    })
    return result
  }
}
