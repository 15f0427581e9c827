import { createRoot } from 'react-dom/client'
import './src/styles/main.css'
import { AppFrame } from './src/app/layout/app-frame.tsx'
import { BackButton } from './src/app/layout/back-button.tsx'
import { Footer } from './src/app/layout/footer.tsx'
import { Header } from './src/app/layout/header.tsx'
import { NotFoundScreen } from './src/app/layout/not-found.tsx'
import { Page } from './src/ui/page.tsx'
import { Toaster } from './src/app/layout/toaster.tsx'
import { DevUiScreen } from './src/features/dev-ui/dev-ui-screen.tsx'
const q = new URLSearchParams(location.search)
const user = q.has('in') ? { name: q.get('in') || '', email: 'adaeze.obi-with-a-long-address@example.com', profileImageUrl: null } : null
const view = q.get('view')
createRoot(document.getElementById('root')!).render(
  <AppFrame header={<Header user={user} isAdmin={q.has('admin')} unreadCount={Number(q.get('unread') ?? 0)} searchValue={q.get('search') ?? ''} onSearch={(v) => console.log('search', v)} onPost={() => console.log('post')} onLogOut={() => console.log('out')} />} footer={<Footer />}>
    {view === '404' ? <NotFoundScreen /> : view === 'page' ? <Page title="My Transactions" lead="What you bought and sold, and where the money is." back={<BackButton />}><p>Content</p></Page> : <DevUiScreen />}
    <Toaster />
  </AppFrame>,
)
