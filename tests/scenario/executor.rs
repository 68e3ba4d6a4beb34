//! One thread, no clock: tasks are polled round robin in the order in which they were started, so that every run of a scenario is the same.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Rounds after which a scenario that has not ended hangs.
const LIMIT: usize = 20_000;

/// Rounds that an abandoned call gets before the scenario goes on.
const ROUNDS_OF_ABANDONED: usize = 500;

/// The tasks of one scenario.
#[derive(Clone, Default)]
pub struct Executor {
    /// Started, and not taken up by a round yet.
    started: Rc<RefCell<Vec<Task>>>,
}

impl Executor {
    /// Starts a task: the next round polls it first.
    pub fn start(&self, task: impl Future<Output = ()> + 'static) {
        self.started.borrow_mut().push(Box::pin(task));
    }

    /// Runs a future beside the tasks it starts; `None` where it does not end. What is pending for ever is left where it is.
    pub fn run<T: 'static>(&self, main: impl Future<Output = T> + 'static) -> Option<T> {
        let mut context = Context::from_waker(Waker::noop());
        let mut main = Box::pin(main);
        let mut tasks: Vec<Task> = Vec::new();
        for _ in 0..LIMIT {
            if let Poll::Ready(value) = main.as_mut().poll(&mut context) {
                return Some(value);
            }
            tasks.append(&mut self.started.borrow_mut());
            tasks.retain_mut(|task| task.as_mut().poll(&mut context).is_pending());
        }
        None
    }

    /// Lets every task that can go on do so.
    pub async fn settle(&self) {
        for _ in 0..ROUNDS_OF_ABANDONED {
            round().await;
        }
    }

    /// Starts all before any is waited for; the results in that order.
    pub async fn all<T: 'static>(&self, calls: Vec<Pin<Box<dyn Future<Output = T>>>>) -> Vec<T> {
        let results: Rc<RefCell<Vec<Option<T>>>> = Rc::new(RefCell::new(calls.iter().map(|_| None).collect()));
        for (at, call) in calls.into_iter().enumerate() {
            let results = Rc::clone(&results);
            self.start(async move {
                let result = call.await;
                results.borrow_mut()[at] = Some(result);
            });
        }
        while results.borrow().iter().any(Option::is_none) {
            round().await;
        }
        results.take().into_iter().flatten().collect()
    }
}

/// Waits for one round.
pub async fn round() {
    let mut polled = false;
    poll_fn(|_| match std::mem::replace(&mut polled, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}
