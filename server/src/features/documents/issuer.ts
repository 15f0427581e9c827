import type { Config } from '../../platform/config.ts'

export function issuerOf({ publicUrl }: Pick<Config, 'publicUrl'>) {
  return { name: 'Sought', url: publicUrl }
}
