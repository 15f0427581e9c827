import type { FastifyRequest } from 'fastify'
import { deviceName } from './device-name.ts'

/** Where an action came from. */
export interface Origin {
  ip: string | null
  device: string
}

export const COMMAND_LINE: Origin = { ip: null, device: 'Command line' }

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, device: deviceName(request.headers['user-agent'] ?? '') }
}
