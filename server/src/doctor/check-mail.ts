import { checkMailServer } from '../providers/mail/mailer.ts'
import { type Check, type Finding, fail, ok, type Patient, reasonOf, warn } from './check.ts'

/* The mail server, and the DNS records that let other servers accept our emails. */

const mail: Check = async ({ config }) => {
  if (!config.mail)
    return config.production
      ? warn('SMTP_URL is not set: nobody can verify an address or reset a password.')
      : ok('Emails are shown at /dev/mail.')
  try {
    await checkMailServer({ smtpUrl: config.mail.smtpUrl, publicUrl: config.publicUrl })
  } catch (error) {
    return fail(`The mail server does not let us sign in: ${reasonOf(error)}. Check SMTP_URL.`)
  }
  return ok('The mail server lets us sign in.')
}

/** The domain of the sender. Null if emails are not sent. */
function senderDomain({ config }: Patient): string | null {
  const [, domain] = config.mail?.from.match(/@([^\s>]+)>?$/) ?? []
  return domain ?? null
}

/** Makes a check of the sender's domain. */
const withDomain =
  (check: (domain: string, dns: Patient['dns']) => Promise<Finding>): Check =>
  async (patient) => {
    const domain = senderDomain(patient)
    if (domain === null || !patient.config.production) return null
    try {
      return await check(domain, patient.dns)
    } catch (error) {
      return warn(`The DNS records of ${domain} could not be read: ${codeOf(error)}.`)
    }
  }

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : reasonOf(error)

/** Null if the name has no records of this type, or does not exist. */
async function unlessMissing<Found>(answer: Promise<Found>): Promise<Found | null> {
  return answer.catch((error: unknown) => {
    if (['ENODATA', 'ENOTFOUND'].includes(codeOf(error))) return null
    throw error
  })
}

async function readTexts(dns: Patient['dns'], name: string, start: RegExp): Promise<string[]> {
  const texts = (await unlessMissing(dns.resolveTxt(name))) ?? []
  return texts.map((parts) => parts.join('')).filter((text) => start.test(text))
}

const sender = withDomain(async (domain, dns) => {
  const found = [
    await unlessMissing(dns.resolveMx(domain)),
    await unlessMissing(dns.resolve4(domain)),
    await unlessMissing(dns.resolve6(domain)),
  ]
  return found.some((records) => records && records.length > 0)
    ? ok(`${domain} can receive replies and bounces.`)
    : fail(
        `${domain}, the domain of MAIL_FROM, has neither an MX record nor an address. Many servers refuse such senders.`,
      )
})

const spf = withDomain(async (domain, dns) => {
  const [record, ...others] = await readTexts(dns, domain, /^v=spf1( |$)/i)
  if (!record) return warn(`${domain} has no SPF record. Add a TXT record that names your mail server.`)
  if (others.length > 0)
    return fail(`${domain} has ${others.length + 1} SPF records, so none counts. Keep one.`)
  return /(^| )\+?all( |$)/i.test(record)
    ? warn(`The SPF record of ${domain} allows every server. End it with ~all or -all.`)
    : ok(`${domain} has an SPF record.`)
})

/** The name of a key is free. Name servers answer differently if there is any name below this one. */
const dkim = withDomain(async (domain, dns) => {
  const answer = await dns.resolveTxt(`_domainkey.${domain}`).then(() => 'ENODATA', codeOf)
  if (answer === 'ENODATA') return ok(`${domain} has names for DKIM keys.`)
  if (answer !== 'ENOTFOUND') throw Object.assign(new Error(answer), { code: answer })
  return warn(`${domain} has no DKIM key. Add the TXT record that your mail server gives you.`)
})

const dmarc = withDomain(async (domain, dns) => {
  const labels = domain.split('.')
  // A record of the organisation's domain applies to those below it.
  for (let at = 0; at < labels.length - 1; at++) {
    const name = labels.slice(at).join('.')
    const [record] = await readTexts(dns, `_dmarc.${name}`, /^v=DMARC1/i)
    if (record) return ok(`${name} has a DMARC record.`)
  }
  return warn(`${domain} has no DMARC record. Large mail services refuse or hide emails without one.`)
})

export const mailChecks: Record<string, Check> = {
  mail,
  'mail-sender': sender,
  'mail-spf': spf,
  'mail-dkim': dkim,
  'mail-dmarc': dmarc,
}
