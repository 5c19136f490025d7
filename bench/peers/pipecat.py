"""Times pipecat: `LLMService.run_function_calls` inside a running pipeline."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, kb_results, measure, options_of, report

# isort: split
from loguru import logger

logger.remove()  # pipecat writes a debug line for each frame and call to standard error

from pipecat.frames.frames import (  # noqa: E402 after the log is off: importing writes to it too
    EndFrame,
    Frame,
    FunctionCallFromLLM,
    FunctionCallResultFrame,
)
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor  # noqa: E402
from pipecat.services.llm_service import FunctionCallParams, LLMService  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402

CHECKS = "nothing"
START_SECONDS = 30


class SilentService(LLMService):
    """A service without a model: it passes frames on and runs the calls it is handed."""

    waiting: "asyncio.Future[Any]"

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


class Receiver(FrameProcessor):
    """Stands where the context aggregator does: the first to see a call's result."""

    waiting: "asyncio.Future[Any]"

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, FunctionCallResultFrame):
            self.waiting.set_result(frame.result)
        await self.push_frame(frame, direction)


def worker_for(*processors: FrameProcessor) -> tuple[PipelineWorker, asyncio.Event]:
    worker = PipelineWorker(
        Pipeline(list(processors)), cancel_on_idle_timeout=False, enable_rtvi=False
    )
    started = asyncio.Event()

    async def on_started(_worker: PipelineWorker, _frame: Frame) -> None:
        started.set()

    worker.add_event_handler("on_pipeline_started", on_started)
    return worker, started


def through(
    service: SilentService, waiter: SilentService | Receiver
) -> Callable[[dict[str, Any]], Callable[[], Awaitable[Any]]]:
    """Hand the service one call and wait for what the waiter is told."""
    loop = asyncio.get_running_loop()

    def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        calls = [FunctionCallFromLLM("kb_search", "call-1", arguments, LLMContext())]

        async def call() -> Any:
            waiter.waiting = loop.create_future()
            await service.run_function_calls(calls)
            return await waiter.waiting

        return call

    return prepare


async def run() -> None:
    options = options_of("pipecat")
    alone, followed, receiver = SilentService(), SilentService(), Receiver()

    async def kb_search(params: FunctionCallParams) -> None:
        await params.result_callback(kb_results())

    async def kb_search_alone(params: FunctionCallParams) -> None:
        results = kb_results()
        await params.result_callback(results)
        alone.waiting.set_result(results)

    alone.register_function("kb_search", kb_search_alone)
    followed.register_function("kb_search", kb_search)

    workers = [worker_for(alone), worker_for(followed, receiver)]
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(*(worker for worker, _ in workers))
    running = asyncio.create_task(runner.run())
    for _, started in workers:
        await asyncio.wait_for(started.wait(), START_SECONDS)

    paths = [
        DispatchPath(
            name="run_function_calls (to the next processor)",
            checks=CHECKS,
            prepare=through(followed, receiver),
            unpack=lambda result: result,
        ),
        DispatchPath(
            name="run_function_calls (to the callback's return)",
            checks=CHECKS,
            prepare=through(alone, alone),
            unpack=lambda result: result,
        ),
    ]
    lines = await measure("pipecat", "pipecat-ai", paths, options)
    for worker, _ in workers:
        await worker.queue_frame(EndFrame())
    await running
    report(lines, options.json)


if __name__ == "__main__":
    asyncio.run(run())
