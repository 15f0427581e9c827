import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/* An authenticator with one passkey, as used by a browser. It answers the server's options. */

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attestedCredential: 0x40 }

interface Options {
  /** The origin of the page. */
  origin?: string
  /** Whether the user entered a PIN or gave a fingerprint. */
  isVerified?: boolean
}

export interface Authenticator {
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }): object
  use(options: { challenge: string; rpId: string }, changes?: Options): object
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export function createAuthenticator({ origin = 'http://localhost:3000' }: Options = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const credential = { id: base64url(rawId), rawId: base64url(rawId), type: 'public-key' }
  let userHandle = ''
  let counter = 0

  return {
    create({ challenge, rp, user }) {
      userHandle = user.id
      const flags = FLAGS.userPresent | FLAGS.userVerified | FLAGS.attestedCredential
      const attested = [randomBytes(16), uint16(rawId.length), rawId, coseKey(publicKey)]
      const authData = Buffer.concat([authenticatorData(rp.id, flags, counter), ...attested])
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },

    use({ challenge, rpId }, { origin: page = origin, isVerified = true } = {}) {
      counter++
      const flags = FLAGS.userPresent | (isVerified ? FLAGS.userVerified : 0)
      const authData = authenticatorData(rpId, flags, counter)
      const clientDataJSON = clientData('webauthn.get', challenge, page)
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return {
        ...credential,
        response: {
          clientDataJSON,
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', signed, privateKey)),
          userHandle,
        },
      }
    },
  }
}

const clientData = (type: string, challenge: string, origin: string) =>
  base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** An ES256 key: kty 2, alg -7, crv 1, x and y (RFC 9052). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

/** The head of a CBOR item (RFC 8949), for the sizes that occur here. */
function cborHead(majorType: number, value: number): Buffer {
  const type = majorType << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  return Buffer.concat([Buffer.from([type | 25]), uint16(value)])
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
