#include "proto/task_file.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudaperf::proto {
namespace {

namespace fs = std::filesystem;

class FindTasksTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "/cudaperf-tasks-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    root_ = folder;
    for (const char* task : {"second", "first"}) {
      fs::create_directory(root_ / task);
      std::ofstream(root_ / task / "task.textproto") << "name: '" << task << "'\n";
    }
    fs::create_directory(root_ / "no_task");
    std::ofstream(root_ / "README.md") << "text\n";
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path root_;
};

TEST_F(FindTasksTest, AFolderOfTasksStandsForEachInOrder) {
  EXPECT_THAT(FindTasks(root_), testing::ElementsAre(root_ / "first", root_ / "second"));
}

TEST_F(FindTasksTest, ATaskStandsForItself) {
  EXPECT_THAT(FindTasks(root_ / "first"), testing::ElementsAre(root_ / "first"));
  EXPECT_THAT(FindTasks(root_ / "first/task.textproto"), testing::ElementsAre(root_ / "first/task.textproto"));
}

TEST_F(FindTasksTest, WhatHoldsNoTaskIsLeftForTheReaderToRefuse) {
  for (const fs::path& path : {root_ / "no_task", root_ / "missing"}) {
    EXPECT_THAT(FindTasks(path), testing::ElementsAre(path));
    EXPECT_TRUE(absl::IsNotFound(ReadTaskFile(path).status())) << path;
  }
}

}  // namespace
}  // namespace cudaperf::proto
