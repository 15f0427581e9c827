import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { IMAGE_MEGAPIXELS_MAX } from '@sought/contract/constants'
import { refuse } from '../core/errors.ts'
import { createFairQueue } from './fair-queue.ts'
import type { DecodedImage, DecoderAnswer, ImageJob } from './image-decoder.ts'

/*
 * Decoding a picture takes up to seconds of processor time and hundreds of megabytes. In this process it would
 * block the threads that hash passwords and resolve names, so a few other processes decode (ADR 22).
 */

export interface ImagePool {
  /** Owners take turns. One owner never takes all decoders, so a picture of another owner never waits for theirs. */
  run(job: ImageJob, owner: string): Promise<DecodedImage[]>
  stop(): void
}

export interface PoolOptions {
  /** The program of a decoder. */
  program?: URL
  /** The number of pictures that are decoded at a time. */
  decoders?: number
  /** How long a picture waits for a decoder before it is refused. */
  waitMaxMs?: number
  /** How many pictures of an owner may wait. */
  waitingMaxOfOwner?: number
  /** How long a picture may be decoded before its decoder is killed. */
  decodeMaxMs?: number
}

const PROGRAM = new URL('./image-decoder.ts', import.meta.url)
/** One owner gets two of them. The third runs only while somebody else uploads too. */
const DECODERS = 3
const WAIT_MAX_MS = 30_000
const DECODE_MAX_MS = 8_000
const WAITING_MAX_OF_OWNER = 2
/** Waiting pictures are kept in memory. */
const WAITING_MAX = 50
const RETRY_SECONDS = 5

/** Why a picture is refused, if a general message does not say it. */
const REASONS = {
  unreadable: {},
  'too many pixels': {
    reason: `This picture has more than ${IMAGE_MEGAPIXELS_MAX} megapixels. Please make it smaller.`,
  },
  'too slow': {
    reason: `This picture takes more than ${DECODE_MAX_MS / 1000} seconds to process. Please make it smaller or save it as a plain JPEG.`,
  },
} satisfies Record<string, { reason?: string }>

interface Task {
  job: ImageJob
  owner: string
  resolve(images: DecodedImage[]): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

interface Decoder {
  process: ChildProcess
  task: Task | undefined
}

export function createImagePool({
  program = PROGRAM,
  decoders: decodersMax = DECODERS,
  waitMaxMs = WAIT_MAX_MS,
  decodeMaxMs = DECODE_MAX_MS,
  waitingMaxOfOwner = WAITING_MAX_OF_OWNER,
}: PoolOptions = {}): ImagePool {
  const decoders = new Set<Decoder>()
  const waiting = createFairQueue<Task>()
  const decodersMaxOfOwner = Math.max(1, decodersMax - 1)
  const mayDecode = (owner: string) =>
    [...decoders].filter(({ task }) => task?.owner === owner).length < decodersMaxOfOwner

  function startDecoder(): Decoder {
    // Without our environment, because a decoder needs no secrets.
    const child = fork(fileURLToPath(program), {
      serialization: 'advanced',
      env: { UV_THREADPOOL_SIZE: '2' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const decoder: Decoder = { process: child, task: undefined }
    // An idle decoder must not keep our process running.
    child.unref()
    child.channel?.unref()
    child.on('message', (answer: DecoderAnswer) => finish(decoder, answer))
    child.on('error', () => remove(decoder, 'unreadable'))
    child.on('exit', () => remove(decoder, 'unreadable'))
    decoders.add(decoder)
    return decoder
  }

  /** A picture that ends its decoder is refused. */
  function remove(decoder: Decoder, why: keyof typeof REASONS): void {
    if (!decoders.delete(decoder)) return
    finish(decoder, why)
  }

  function stopSlow(decoder: Decoder): void {
    decoder.process.kill('SIGKILL')
    remove(decoder, 'too slow')
  }

  function finish(decoder: Decoder, answer: DecoderAnswer): void {
    const { task } = decoder
    decoder.task = undefined
    decoder.process.channel?.unref()
    if (task) {
      clearTimeout(task.timer)
      if (typeof answer === 'string') task.reject(refuse('not_an_image', REASONS[answer]))
      else task.resolve(answer)
    }
    startNext()
  }

  function startNext(): void {
    const idle = [...decoders].find(({ task }) => !task)
    if (!idle && decoders.size >= decodersMax) return
    const task = waiting.take(mayDecode)
    if (!task) return
    const decoder = idle ?? startDecoder()
    clearTimeout(task.timer)
    task.timer = setTimeout(() => stopSlow(decoder), decodeMaxMs)
    decoder.task = task
    decoder.process.channel?.ref()
    decoder.process.send(task.job, (error) => error && decoder.process.kill('SIGKILL'))
    startNext()
  }

  function giveUp(task: Task): void {
    waiting.remove(task)
    task.reject(refuse('unavailable', { retryAfterSeconds: RETRY_SECONDS }))
  }

  return {
    run(job, owner) {
      const retry = { retryAfterSeconds: RETRY_SECONDS }
      if (waiting.countOf(owner) >= waitingMaxOfOwner) return Promise.reject(refuse('queue_full', retry))
      if (waiting.size >= WAITING_MAX) return Promise.reject(refuse('unavailable', retry))
      return new Promise((resolve, reject) => {
        const task: Task = { job, owner, resolve, reject, timer: setTimeout(() => giveUp(task), waitMaxMs) }
        waiting.add(owner, task)
        startNext()
      })
    },

    stop() {
      for (const { process: child } of decoders) child.kill('SIGKILL')
    },
  }
}
