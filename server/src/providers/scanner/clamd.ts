import { connect } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Verdict, VirusScanner } from './virus-scanner.ts'

/* Sends bytes to clamd with its command INSTREAM: chunks with their lengths, then an empty one (ADR 109). */

const DEADLINE_MS = 15_000
/** How long clamd is not asked after it gave no answer, so that uploads need not wait for it one after the other. */
const PAUSE_MS = 10_000
const REPLY_MAX_LENGTH = 1_000

export interface ClamdAddress {
  host: string
  port: number
}

interface Options extends ClamdAddress {
  log: FastifyBaseLogger
  deadlineMs?: number
  pauseMs?: number
}

export function createClamd({
  log,
  deadlineMs = DEADLINE_MS,
  pauseMs = PAUSE_MS,
  ...address
}: Options): VirusScanner {
  let pausedUntilMs = 0
  return {
    async scan(bytes) {
      if (performance.now() < pausedUntilMs) return 'unknown'
      try {
        return verdictOf(await ask(address, bytes, deadlineMs), log)
      } catch (error) {
        pausedUntilMs = performance.now() + pauseMs
        log.warn({ err: error }, 'the virus scanner does not answer')
        return 'unknown'
      }
    },
  }
}

async function ask(address: ClamdAddress, bytes: Uint8Array, deadlineMs: number): Promise<string> {
  const socket = connect(address)
  const timer = setTimeout(() => socket.destroy(new Error('timeout')), deadlineMs)
  try {
    for (const part of ['zINSTREAM\0', lengthOf(bytes), bytes, lengthOf([])]) socket.write(part)
    let reply = ''
    for await (const chunk of socket) {
      reply += chunk.toString('latin1')
      if (reply.endsWith('\0')) return reply.slice(0, -1)
      if (reply.length > REPLY_MAX_LENGTH) break
    }
    throw new Error('the reply is incomplete')
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

function lengthOf({ length }: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

function verdictOf(reply: string, log: FastifyBaseLogger): Verdict {
  if (reply === 'stream: OK') return 'clean'
  const [, name] = reply.match(/^stream: ([\w.:/()-]{1,200}) FOUND$/) ?? []
  if (name) return { infection: name }
  log.warn({ reply }, 'the virus scanner could not scan a file')
  return 'unknown'
}
