import { EXPORT_KEPT_DAYS } from '@sought/contract/exports'
import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

export const exportReady = defineNotification('export_ready', {
  to: (to: string, exportId: number) => ({ to, about: [exportId] }),
  title: 'Your export is ready',
  text: () => `You can download it for ${EXPORT_KEPT_DAYS} days.`,
  link: () => ({ path: paths.adminExports(), action: 'Download the export' }),
})
