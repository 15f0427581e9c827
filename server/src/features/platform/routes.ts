import { getConfig } from '@sought/contract/platform'
import { demoSignIns } from '../../demo/sign-ins.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'

export function platformRoutes({ config }: Services): Route[] {
  return [
    on(getConfig)(() => ({
      currency: config.currency,
      provider: config.stripe ? 'stripe' : 'sandbox',
      publishableKey: config.stripe?.publishableKey ?? null,
      googleSignIn: config.google !== undefined,
      ...(!config.production && { development: true as const }),
      ...(config.demo && { demoSignIns: [...demoSignIns] }),
    })),
  ]
}
