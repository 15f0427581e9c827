import type { ModerationCase } from '@sought/contract/moderation'
import { reportKindLabels, reportReasonLabels } from '../../../shared/reports/report-reasons.ts'
import type { BadgeTone } from '../../../ui/display/badge.tsx'

/** The badge of each severity. */
const severities: Record<number, { label: string; tone: BadgeTone }> = {
  1: { label: 'Low', tone: 'outline' },
  2: { label: 'Medium', tone: 'attention' },
  3: { label: 'High', tone: 'danger' },
}

export const severityOf = ({ severity }: ModerationCase) =>
  severities[severity] ?? { label: 'Low', tone: 'outline' as const }

/** The title of a request, otherwise the text, because the title of a message is only the title of its request. */
export function titleOf({ kind, content }: ModerationCase): string {
  const [title, text] = [content?.title, content?.text]
  return (kind === 'request' ? title || text : text || title) || `${reportKindLabels[kind]} without text`
}

/** 'Scam or fraud, Spam · 3 reports'. */
export function summarizeReports({ reports, appeal }: ModerationCase): string {
  if (appeal) return 'Appeal'
  const reasons = [...new Set(reports.map(({ reason }) => reportReasonLabels[reason]))].join(', ')
  return reports.length > 1 ? `${reasons} · ${reports.length} reports` : reasons
}
