import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

export const fileInfected = defineNotification('file_infected', {
  kind: 'moderation',
  to: (file: { id: string }, ownerId: string) => ({ to: ownerId, about: [file.id] }),
  title: 'A file of yours was deleted',
  text: 'A file that you uploaded contains a virus. Nobody has received it. Please check your device, and upload another file if it is needed.',
  link: () => ({ path: paths.profile({}), action: 'Open your profile' }),
})
