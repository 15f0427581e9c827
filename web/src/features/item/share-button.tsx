import { Link2 } from 'lucide-react'
import { toast } from '../../data/toasts.ts'
import { Button } from '../../ui/forms/button.tsx'

/** Shares the link with the device's share sheet, or copies it if there is none. */
export function ShareButton({ title }: { title: string }) {
  const share = async () => {
    const url = window.location.origin + window.location.pathname
    try {
      if (navigator.share) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied', description: url })
    } catch (error) {
      // The user closed the share sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ title: 'The link could not be copied', description: url, variant: 'destructive' })
    }
  }
  return (
    <Button variant="quiet" onClick={() => void share()}>
      <Link2 aria-hidden="true" />
      Share
    </Button>
  )
}
