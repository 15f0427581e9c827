import { paths } from '@sought/contract/paths'
import { formatDate } from '../../../core/dates.ts'
import { defineNotification } from '../../notifications/define-notification.ts'

const readTerms = () => ({ path: paths.termsOfService(), action: 'Read the terms' })
const readPrivacyPolicy = () => ({ path: paths.privacyPolicy(), action: 'Read the privacy policy' })

/** The key ends with the day from which the version applies. */
const ofScheduled = (to: string, { version, effectiveFrom }: { version: number; effectiveFrom: Date }) => ({
  to,
  about: [version, effectiveFrom.toISOString().slice(0, 10)],
})

const SCHEDULED =
  'From then on you can read and accept the new version here. Until then nothing changes for you.'

export const termsScheduled = defineNotification('terms_scheduled', {
  kind: 'policy_changed',
  to: ofScheduled,
  title: ({ about: [, day = ''] }) => `Our Terms of Service change on ${formatDate(new Date(day))}`,
  text: SCHEDULED,
  link: readTerms,
})

export const privacyScheduled = defineNotification('privacy_scheduled', {
  kind: 'policy_changed',
  to: ofScheduled,
  title: ({ about: [, day = ''] }) => `Our Privacy Policy changes on ${formatDate(new Date(day))}`,
  text: SCHEDULED,
  link: readPrivacyPolicy,
})

const ofVersion = (to: string, { version }: { version: number }) => ({ to, about: [version] })

export const termsChanged = defineNotification('terms_changed', {
  kind: 'policy_changed',
  to: ofVersion,
  title: 'Our Terms of Service have changed',
  text: 'Please read and accept them. Until then you cannot post requests, make offers or pay.',
  link: readTerms,
})

export const privacyChanged = defineNotification('privacy_changed', {
  kind: 'policy_changed',
  to: ofVersion,
  title: 'Our Privacy Policy has changed',
  text: 'Please read and accept it. Until then you cannot post requests, make offers or pay.',
  link: readPrivacyPolicy,
})
