//! The door to the network, for browsers and agents alike: whoever has not been let in is one of a few, and has little
//! time. When too many stand there the one who has stood longest goes, so that nobody can keep others out by standing
//! there. Neither a full table of files nor one of threads closes the door.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// Who may stand at a door at once.
const MOST: usize = 150;
/// How long to wait when nobody can be taken in, as at the limit of open files.
const BREATH: Duration = Duration::from_millis(50);

/// Takes in whoever comes, for ever; `meet` comes to its end when somebody has been let in or has left, or is cut short
/// after `patience`.
pub async fn receive<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    patience: Duration,
    meet: impl Fn(TcpStream) -> F,
) {
    let mut standing: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Who stands there longest holds what others need.
            make_room(&mut standing, 1);
            sleep(BREATH).await;
            continue;
        };
        make_room(&mut standing, MOST);
        let meeting = timeout(patience, meet(stream));
        // Whether it came to its own end does not matter.
        standing.push_back(tokio::spawn(async move { drop(meeting.await) }).abort_handle());
    }
}

/// Forgets who no longer stands there, and sends away who has stood longest if there are so many.
fn make_room(standing: &mut VecDeque<AbortHandle>, most: usize) {
    standing.retain(|one| !one.is_finished());
    if standing.len() >= most
        && let Some(oldest) = standing.pop_front()
    {
        oldest.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn a_crowd_that_says_nothing_keeps_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let there = Arc::new(AtomicUsize::new(0));
        let count = there.clone();
        tokio::spawn(receive(listener, Duration::from_secs(600), move |mut stream| {
            count.fetch_add(1, Ordering::SeqCst);
            async move { drop(stream.read_u8().await) }
        }));
        let mut crowd = Vec::new();
        for number in 0..3 * MOST {
            crowd.push(TcpStream::connect(address).await.unwrap());
            while there.load(Ordering::SeqCst) <= number {
                tokio::task::yield_now().await;
            }
        }
        // The first were sent away, the last are still there.
        for stream in &mut crowd[..2 * MOST] {
            assert!(stream.read_u8().await.is_err());
        }
        assert!(timeout(Duration::from_millis(50), crowd[2 * MOST].read_u8()).await.is_err());
    }

    #[tokio::test]
    async fn who_takes_too_long_goes() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(receive(listener, Duration::from_millis(10), |mut stream| async move {
            while stream.read_u8().await.is_ok() {}
        }));
        assert!(TcpStream::connect(address).await.unwrap().read_u8().await.is_err());
    }
}
