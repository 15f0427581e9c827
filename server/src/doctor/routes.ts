import * as calls from '@sought/contract/doctor'
import { installation } from '../database/schema.ts'
import { by, recordAudit } from '../features/users/audit-log.ts'
import { on, type Route } from '../http/route.ts'
import type { Services } from '../services.ts'
import { examineDeployment } from './examine.ts'

/** All admins share the limit, because the checks ask the services of others. */
const LIMIT_KEY = 'market'

export function doctorRoutes({ config, clock, database, limits }: Services): Route[] {
  return [
    on(calls.getDoctorReport)(async () => {
      const [found] = await database.read
        .select({ ranAt: installation.doctorRanAt, checks: installation.doctorChecks })
        .from(installation)
      return { ranAt: found?.ranAt ?? null, checks: found?.checks ?? [] }
    }),

    on(calls.runDoctor)(async ({ user }) => {
      await limits.doctor.count(LIMIT_KEY)
      const databaseUrl = database.pool.options.connectionString ?? ''
      const checks = await examineDeployment({ config, databaseUrl })
      const report = { ranAt: clock(), checks }
      await database.transact(async (tx) => {
        await tx.update(installation).set({ doctorRanAt: report.ranAt, doctorChecks: checks })
        await recordAudit(tx, { action: 'deployment_checked', ...by(user) })
      })
      return report
    }),
  ]
}
