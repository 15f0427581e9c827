import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { refuse } from '../core/errors.ts'
import type { DecodedImage, DecoderAnswer, ImageJob } from './image-decoder.ts'

/*
 * Decoding a picture takes up to seconds of processor time and hundreds of megabytes. In this process it would
 * block the threads that hash passwords and resolve names, so a few other processes decode (ADR 22).
 */

export interface ImagePool {
  run(job: ImageJob): Promise<DecodedImage[]>
  stop(): void
}

export interface PoolOptions {
  /** The program of a decoder. */
  program?: URL
  /** The number of pictures that are decoded at a time. */
  decoders?: number
  /** How long a picture waits for a decoder before it is refused. */
  waitMaxMs?: number
  /** How long a picture may be decoded before its decoder is killed. */
  decodeMaxMs?: number
}

const PROGRAM = new URL('./image-decoder.ts', import.meta.url)
const DECODERS = 2
const WAIT_MAX_MS = 30_000
const DECODE_MAX_MS = 30_000
/** Waiting pictures are kept in memory. */
const WAITING_MAX = 50
const RETRY_SECONDS = 5

interface Task {
  job: ImageJob
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
}: PoolOptions = {}): ImagePool {
  const decoders = new Set<Decoder>()
  const waiting: Task[] = []

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
    child.on('error', () => remove(decoder))
    child.on('exit', () => remove(decoder))
    decoders.add(decoder)
    return decoder
  }

  /** A picture that ends its decoder is refused. */
  function remove(decoder: Decoder): void {
    if (!decoders.delete(decoder)) return
    finish(decoder, null)
  }

  function finish(decoder: Decoder, answer: DecoderAnswer): void {
    const { task } = decoder
    decoder.task = undefined
    decoder.process.channel?.unref()
    if (task) {
      clearTimeout(task.timer)
      if (answer) task.resolve(answer)
      else task.reject(refuse('not_an_image'))
    }
    startNext()
  }

  function startNext(): void {
    const idle = [...decoders].find(({ task }) => !task)
    if (waiting.length === 0 || (!idle && decoders.size >= decodersMax)) return
    const task = waiting.shift()
    if (!task) return
    const decoder = idle ?? startDecoder()
    clearTimeout(task.timer)
    task.timer = setTimeout(() => decoder.process.kill('SIGKILL'), decodeMaxMs)
    decoder.task = task
    decoder.process.channel?.ref()
    decoder.process.send(task.job, (error) => error && decoder.process.kill('SIGKILL'))
    startNext()
  }

  function giveUp(task: Task): void {
    const index = waiting.indexOf(task)
    if (index >= 0) waiting.splice(index, 1)
    task.reject(refuse('unavailable', { retryAfterSeconds: RETRY_SECONDS }))
  }

  return {
    run(job) {
      if (waiting.length >= WAITING_MAX)
        return Promise.reject(refuse('unavailable', { retryAfterSeconds: RETRY_SECONDS }))
      return new Promise((resolve, reject) => {
        const task: Task = { job, resolve, reject, timer: setTimeout(() => giveUp(task), waitMaxMs) }
        waiting.push(task)
        startNext()
      })
    },

    stop() {
      for (const { process: child } of decoders) child.kill('SIGKILL')
    },
  }
}
