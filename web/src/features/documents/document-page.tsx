import { paths } from '@sought/contract/paths'
import { Download, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

interface DocumentPageProps {
  /** 'Receipt' or 'Statement'. */
  title: string
  /** The number, or a text that replaces it. */
  number: string
  issuer: { name: string; url: string }
  csvUrl: string
  children: ReactNode
}

/** A printable sheet. In print, only the sheet is visible. */
export function DocumentPage({ title, number, issuer, csvUrl, children }: DocumentPageProps) {
  return (
    <Page
      title={`${title} ${number}`}
      heading={title}
      back={<BackButton fallback={paths.payments()}>Back to Payments</BackButton>}
      width="desk"
      actions={
        <>
          <Button onClick={() => window.print()}>
            <Printer aria-hidden="true" />
            Print
          </Button>
          <Button asChild variant="secondary">
            <a href={csvUrl} download>
              <Download aria-hidden="true" />
              Download CSV
            </a>
          </Button>
        </>
      }
    >
      <Card asChild padding="lg" className="print:p-0 print:shadow-none">
        <article aria-label={`${title} ${number}`} className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <p className="font-display font-strong text-title tabular-nums">{number}</p>
            <p className="text-ink-soft [overflow-wrap:anywhere]">
              {issuer.name} · {issuer.url}
            </p>
          </header>
          {children}
          <p className="text-fine text-ink-soft">All dates are in UTC.</p>
        </article>
      </Card>
    </Page>
  )
}

export function DocumentNotFound({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ErrorPage title={title} action={<LinkButton to={paths.payments()}>Back to Payments</LinkButton>}>
      {children}
    </ErrorPage>
  )
}
