import { paths } from '@sought/contract/paths'
import { useLocation } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { PostForm } from './post-form.tsx'

export function PostScreen() {
  const session = useSession()
  const [, navigate] = useLocation()
  return (
    <Page
      title="Post a Request"
      lead="Say what you want. Sellers who have it will come to you."
      back={<BackButton />}
      width="column"
    >
      <Card padding="lg">
        {session.state === 'signed-in' && (
          <PostForm userId={session.user.id} onDone={() => navigate(paths.home())} />
        )}
      </Card>
    </Page>
  )
}
